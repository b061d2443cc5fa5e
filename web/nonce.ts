// Sets the nonce that the content security policy requires for the style elements of dialogs. Runs before the first render.
import { setNonce } from "get-nonce";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content;
if (nonce) setNonce(nonce);
