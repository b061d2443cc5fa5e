// Who takes the money. Two do: the operator, who is told of it and writes it down, and Stripe, which takes it and reports it.
import type { PackagePayment, PaymentRow } from "./payments.store.ts";

/** A page of the provider's on which somebody pays. */
export interface Checkout {
  /** The provider's own name for it; what is reported of it carries the same. */
  readonly reference: string;
  readonly url: string;
}

export interface PaymentProvider {
  readonly name: PaymentRow["provider"];
  /**
   * Where to pay for a package. Asked again for the same payment, it is the same checkout. Null where the package is credited on
   * trust, at once, and paid later.
   * @throws CheckoutFailed
   */
  readonly openCheckout: ((payment: PackagePayment, returnUrl: string) => Promise<Checkout>) | null;
}

/** The provider opens no checkout. Nothing was paid. */
export class CheckoutFailed extends Error {
  override name = "CheckoutFailed";
  constructor(
    message: string,
    /** Whether the same payment may be tried again: it is not known to be refused. */
    readonly mayBeTriedAgain: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What a provider tells of a checkout afterwards. */
export interface PaymentReport {
  readonly eventId: string;
  readonly workspaceId: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly outcome: "paid" | "failed";
  readonly amountCents: number;
  /** Lower case, as in ISO 4217 otherwise. */
  readonly currency: string;
}

/** The operator is trusted, and trusts: packages are credited when they are bought, and their payment is recorded when it came. */
export const manualProvider: PaymentProvider = { name: "manual", openCheckout: null };
