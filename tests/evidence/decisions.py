"""Decisions as a register would give them, for the tests of views; invented."""

from dataclasses import replace

from workbench.contract import Allowed, Context, Decision, Scope, Status, access_digest


def decision(actor, corpus, spans=None, *names, **changes):
    """A RESOLVED decision that allows these documents of the corpus (one span setting for all of them)."""
    allowed = tuple(Allowed(name, corpus.fingerprint(name), spans) for name in names)
    context = Context(
        tenant=actor.tenant,
        access=access_digest(actor, dict.fromkeys(names, True)),
        scope=Scope("pumpe", "dichtung", "C2", "EU"),
        mode="current",
        at="6",
        known_at=None,
        language=None,
        source_language="de",
        answer_language="de",
        revision_id=names[0] if names else "keine",
        revision_sha256=corpus.fingerprint(names[0]) if names else "0" * 64,
        edition_id=None,
        equivalence_id=None,
        equivalence_status="source",
        allowed=allowed,
        valid_from="0",
        valid_to="unbounded",
        snapshot="s",
        rules="direct",
    )
    if changes:
        context = replace(context, **changes) if "id" in changes else replace(context, id="", **changes)
    return Decision(Status.RESOLVED, revision_id=context.revision_id, context=context)
