// The secret of an API key (decisions, Keys). Only its hash is ever stored.
import { secretForm, secretPrefixes } from "../../platform/secrets/secrets.ts";

const form = secretForm(secretPrefixes.apiKey);

/** A new secret of an API key. */
export const newSecret = form.make;

/** True when the text can be the secret of an API key at all: its form and its checksum are right. */
export const isSecret = form.is;

/** What a list may show: the prefix and the first 4 characters. */
export const startOf = form.startOf;
