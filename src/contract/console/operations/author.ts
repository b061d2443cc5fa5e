// Who did something in the library.
import { z } from "zod";
import { id } from "../../fields.ts";

/** A person or an API key. The name is null where nobody knows it anymore. */
export const author = z
  .strictObject({ kind: z.enum(["person", "key"]), id: id(), name: z.string().nullable() })
  .meta({ id: "Author" });
