// The secret of a personal access token. Its prefix distinguishes it from an API key.
import { hashSecret, secretForm, secretPrefixes } from "../../platform/secrets/secrets.ts";

const form = secretForm(secretPrefixes.accessToken);

export const newToken = form.make;
export const isToken = form.is;
export const startOfToken = form.startOf;
export const hashOfToken = hashSecret;
