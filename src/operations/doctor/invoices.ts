// The check of what invoices need besides the database.
import type { Config } from "../../config.ts";
import { type Check, ok, problem } from "./check.ts";

export const invoiceChecks: readonly Check<Config>[] = [
  {
    name: "invoice font",
    question: "Can the invoice font be loaded?",
    remedy:
      "Set COMMONPLACE_INVOICE_FONT to a TrueType or OpenType file that the service can read. For a collection, add the name: FILE.ttc#NAME.",
    examine: async ({ invoiceFont: font }) => {
      if (!font) return ok("not set: PDF invoices show Chinese, Japanese, and Korean characters as code points");
      const { InvoiceDocument } = await import("../../metering/billing/invoice-document.ts");
      // DejaVu Sans lacks this letter, so the configured font is opened for it.
      return InvoiceDocument.open({ info: {}, texts: "\u6f22", font, defaults: { size: 8, color: "#000" } }).then(
        () => ok(font.path),
        (error: Error) => problem(error.message),
      );
    },
  },
];
