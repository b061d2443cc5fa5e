// The outcome of a checkout, shown when the person returns from the provider's page.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type RowOf, useConsoleQuery } from "../../api.ts";
import { Notice } from "../../components/index.ts";

/** The provider may take a moment to report the payment. */
const refetchSeconds = 3;

/** @param outcome the id of the payment, or "cancelled" */
export function CheckoutNotice({ outcome }: { outcome: string }) {
  return outcome === "cancelled" ? (
    <Notice>
      <p>Checkout canceled. You weren’t charged, and no units were credited.</p>
    </Notice>
  ) : (
    <PaymentNotice paymentId={outcome} />
  );
}

function PaymentNotice({ paymentId }: { paymentId: string }) {
  const [isSettled, setIsSettled] = useState(false);
  const payments = useConsoleQuery("getPayments", isSettled ? {} : { refetchSeconds });
  const payment = payments.data?.data.find(({ id }) => id === paymentId);
  const queryClient = useQueryClient();
  const status = payment?.status;
  useEffect(() => {
    if (status === undefined || status === "open") return;
    setIsSettled(true);
    // The balance and the lists have changed.
    for (const read of ["getBilling", "getPayments"]) void queryClient.invalidateQueries({ queryKey: [read] });
  }, [status, queryClient]);
  if (!payment) return null;
  return (
    <div role="status">
      <Notice tone={status === "paid" ? "good" : "neutral"}>
        <p>{messageOf(payment)}</p>
      </Notice>
    </div>
  );
}

const messageOf = ({ status, subject }: RowOf<"getPayments">): string => {
  if (status === "paid") return `Thank you. We received your payment and credited the ${subject} package.`;
  if (status === "failed")
    return `The payment for the ${subject} package failed, and no units were credited. Try buying it again.`;
  return "Thank you. Your units will be credited once Stripe confirms the payment, usually within a minute.";
};
