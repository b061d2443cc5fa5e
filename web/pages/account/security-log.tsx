// The log of changes to the person's account.
import { useConsolePages } from "../../api.ts";
import { Card } from "../../components/index.ts";
import { AuditList } from "../audit/list.tsx";

export function SecurityLogCard() {
  const entries = useConsolePages("getSecurityLog", { query: { limit: 10 } });
  return (
    <Card
      title="Security log"
      description="What was done to your account. If it was not you, change your password. All times are UTC."
      isFlush
    >
      <AuditList entries={entries}>
        Your password, second step, passkeys, tokens and sessions: whatever is changed will stand here.
      </AuditList>
    </Card>
  );
}
