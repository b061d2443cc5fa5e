// The secret of a personal access token. Its prefix tells it from an API key, which opens the other door.
import { hashOf, secretForm } from "../../metering/keys/secret.ts";

const form = secretForm("cpt_");

export const newToken = form.make;
export const isToken = form.is;
export const startOfToken = form.startOf;
export const hashOfToken = hashOf;
