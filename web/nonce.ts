// For the few style elements that the primitives put into the page: the policy allows them by this. Before anything is rendered.
import { setNonce } from "get-nonce";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content;
if (nonce) setNonce(nonce);
