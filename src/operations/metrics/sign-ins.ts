// Sign-ins to the console: how many succeeded, and how many were refused, by reason.
import { Counter, type Registry } from "prom-client";
import { refusalReasons, type SignInObserver } from "../../accounts/sign-in/evidence.ts";

export function observeSignIns(registry: Registry): SignInObserver {
  const registers = [registry];
  const signIns = new Counter({ name: "commonplace_sign_ins_total", help: "Sign-ins to the console.", registers });
  const refused = new Counter({
    name: "commonplace_sign_ins_refused_total",
    help: "Refused sign-ins and password confirmations, by reason.",
    labelNames: ["reason"],
    registers,
  });
  // Prometheus sees no increase in a series that begins with its first event.
  for (const reason of refusalReasons) refused.inc({ reason }, 0);
  return { signedIn: () => signIns.inc(), refused: (reason) => refused.inc({ reason }) };
}
