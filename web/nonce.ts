// Sets the nonce that the content security policy requires for the style elements of dialogs. Runs before the first render.
import { setNonce } from "get-nonce";

/** Also for the style elements of editors. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content || undefined;
if (styleNonce) setNonce(styleNonce);
