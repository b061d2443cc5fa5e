// A button at each block of code that copies it.

const copiedMilliseconds = 2_000;

/** Browsers have a clipboard only where the site is served over HTTPS. */
export function addCopyButtons(): void {
  if (!("clipboard" in navigator)) return;
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(codeOf(block));
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, copiedMilliseconds);
    });
    block.append(button);
  }
}

/** The code; of a terminal, only the commands. */
function codeOf(block: Element): string {
  const code = block.querySelector("code")?.cloneNode(true);
  if (!(code instanceof Element)) return "";
  const hidden = code.querySelectorAll(".prompt, .printed");
  for (const part of hidden) part.remove();
  const text = code.textContent ?? "";
  return hidden.length === 0 ? text : text.replaceAll(/\n+/g, "\n").trim();
}
