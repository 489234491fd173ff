"""S0's checklist for a verifiable search: what the 51 conditions show of it, and what no run of this package can show.

"Checkliste für überprüfbare Wissenssuche" (S0). Two of the ten points lie with whoever runs the search and are never
shown here: said, so that nobody takes silence for an answer.
"""

from __future__ import annotations

from typing import Final

from workbench.show.report.checklist import CHECK, PROOF, Point, conditions_of
from workbench.show.report.register import responsibility

GROUP: Final = "Search"
SEARCH_POINTS: Final = (
    Point(
        *("stock", GROUP, "Documents, responsibility and versions are settled."),
        again=CHECK,
        check=responsibility,
        rests_on=conditions_of("retrieval", 4, 5, 44),
    ),
    Point(
        *("identity", GROUP, "The user's context comes from the identity management that decides."),
        again="workbench app search CORPUS --actor-header NAME --actors FILE",
        words="The package takes its actor from the process that calls it, and cannot see where that has it from.",
    ),
    Point(
        *("excluded", GROUP, "What is not permitted is excluded before it is retrieved or passed on."),
        again=PROOF,
        words="Forbidden documents are absent, and change neither hits nor scores.",
        rests_on=conditions_of("retrieval", 12, 13, 14, 15, 16, 17, 18, 19, 20),
    ),
    Point(
        *("position", GROUP, "Paragraphs are bound to their original and to an exact position."),
        again=PROOF,
        words="Each hit carries paragraph, quote, version and fingerprint, and resolves again.",
        rests_on=conditions_of("retrieval", 1, 2, 3, 4, 5, 8, 9, 11),
    ),
    Point(
        *("meaning", GROUP, "What a search means, and its limits, are said."),
        again=PROOF,
        words="All words must stand in one paragraph; operators, prefixes, stems and missing umlauts find nothing.",
        rests_on=conditions_of("retrieval", *range(25, 43)),
    ),
    Point(
        *("scores", GROUP, "Scores are not given out as percentages of truth."),
        again=PROOF,
        words="A score orders the hits of one run; this report shows none.",
        rests_on=conditions_of("retrieval", 6, 10),
    ),
    Point(
        *("changed", GROUP, "Changed sources and withdrawn access are checked again."),
        again=PROOF,
        words="A citation does not resolve once text, version or access changed, or the document is gone.",
        rests_on=conditions_of("retrieval", 45, 46, 47, 48, 49, 50),
    ),
    Point(
        *("instructions", GROUP, "Instructions in sources do not become the system's own powers."),
        again=PROOF,
        words="A foreign instruction is found as text, word for word, and has no effect.",
        rests_on=conditions_of("retrieval", 51),
    ),
    Point(
        *("nothing", GROUP, "No passage is a permitted outcome."),
        again=PROOF,
        words="An empty result is an empty list, said as no matching passage in the accessible corpus.",
        rests_on=conditions_of("retrieval", 16, 17, 18, 22, 23, 24, 25),
    ),
    Point(
        *("judged", GROUP, "Search and later answer are judged apart, with representative counter-examples."),
        again="workbench tune CORPUS QUESTIONS --tenant TENANT --groups GROUPS --register REGISTER",
        words="Whether the questions are representative nobody can compute, and no generated answer is judged here; "
        "what was measured of the search stands under Tuning.",
    ),
)
