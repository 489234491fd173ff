// Gives each slider's handle the name that stands beside it. The handle is what the keyboard moves and what a screen
// reader speaks of, and ipywidgets leaves it without a name (WCAG 2.2, 4.1.2). And a panel's status line is said aloud
// when it changes: what is announced has to stand in the page before its words do (4.1.3). Nothing else is touched.
(function () {
  "use strict";

  function named() {
    for (const line of document.querySelectorAll(".wb-status > .widget-html-content")) {
      if (line.getAttribute("aria-live") === null) {
        line.setAttribute("aria-live", "polite");
      }
    }
    for (const slider of document.querySelectorAll(".widget-slider")) {
      const label = slider.querySelector(".widget-label");
      const name = label === null ? "" : label.textContent.trim();
      for (const handle of name ? slider.querySelectorAll(".noUi-handle") : []) {
        if (handle.getAttribute("aria-label") !== name) {
          handle.setAttribute("aria-label", name);
        }
      }
    }
  }

  function watch() {
    let waiting = false;
    const soon = () => {
      if (!waiting) {
        waiting = true;
        window.setTimeout(() => {
          waiting = false;
          named();
        }, 50);
      }
    };
    named();
    new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  }

  const plugin = { id: "workbench-names:plugin", autoStart: true, activate: watch };
  const module = { __esModule: true, default: plugin };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB["workbench-names"] = { init: () => {}, get: () => Promise.resolve(() => module) };
})();
