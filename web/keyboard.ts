// The height of an on-screen keyboard, as `--keyboard` for the style sheet: it covers the lower end of the page, where a phone shows
// dialogs, and most browsers do not make the page smaller for it.

const viewport = window.visualViewport;

const measure = (): void => {
  if (!viewport) return;
  // Zooming makes the visible part smaller too.
  const isZoomed = viewport.scale > 1.01;
  const covered = isZoomed ? 0 : Math.max(0, innerHeight - viewport.offsetTop - viewport.height);
  document.documentElement.style.setProperty("--keyboard", `${Math.round(covered)}px`);
};

viewport?.addEventListener("resize", measure);
viewport?.addEventListener("scroll", measure);
