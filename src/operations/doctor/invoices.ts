// The check of what invoices need besides the database.
import type { Config } from "../../config.ts";
import { type Check, ok, problem } from "./check.ts";

export const invoiceChecks: readonly Check<Config>[] = [
  {
    name: "invoice font",
    question: "Can the font for invoices be used?",
    remedy:
      "Name a TrueType or OpenType file that the service may read in COMMONPLACE_INVOICE_FONT; of a collection, also which: FILE.ttc#NAME.",
    examine: async ({ invoiceFont: font }) => {
      if (!font)
        return ok("none is set: Chinese, Japanese and Korean letters stand on PDF invoices as their code points");
      const { InvoiceDocument } = await import("../../metering/billing/invoice-document.ts");
      // DejaVu Sans lacks this letter, so the configured font is opened for it.
      return InvoiceDocument.open({ info: {}, texts: "\u6f22", font, defaults: { size: 8, color: "#000" } }).then(
        () => ok(font.path),
        (error: Error) => problem(error.message),
      );
    },
  },
];
