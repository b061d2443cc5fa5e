// Payment providers: the operator, who records payments by hand, and Stripe, which takes and reports them.
import type { PackagePayment, PaymentRow } from "./payments.store.ts";

/** A page of the provider where a person pays. */
export interface Checkout {
  /** The provider's id of the checkout, which its reports repeat. */
  readonly reference: string;
  readonly url: string;
}

export interface PaymentProvider {
  readonly name: PaymentRow["provider"];
  /**
   * Opens the checkout of a payment, the same one each time. Null where the package is credited at once and paid later.
   * @throws CheckoutFailed
   */
  readonly openCheckout: ((payment: PackagePayment, returnUrl: string) => Promise<Checkout>) | null;
}

/** The provider did not open a checkout. Nothing was paid. */
export class CheckoutFailed extends Error {
  override name = "CheckoutFailed";
  constructor(
    message: string,
    /** True unless the provider refused the payment. */
    readonly isRetryable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A provider's report about a checkout. */
export interface PaymentReport {
  readonly eventId: string;
  readonly workspaceId: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly outcome: "paid" | "failed";
  readonly amountCents: number;
  /** ISO 4217 in lower case. */
  readonly currency: string;
}

/** Packages are credited when they are bought. The operator records their payment when it arrives. */
export const manualProvider: PaymentProvider = { name: "manual", openCheckout: null };
