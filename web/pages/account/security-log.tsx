// The log of changes to the person's account.
import { useConsolePages } from "../../api.ts";
import { Card } from "../../components/index.ts";
import { AuditList } from "../audit/list.tsx";

export function SecurityLogCard() {
  const entries = useConsolePages("getSecurityLog", { query: { limit: 10 } });
  return (
    <Card
      title="Security log"
      description="Security events on your account. If you don’t recognize one, change your password. All times are in UTC."
      isFlush
    >
      <AuditList entries={entries}>
        Sign-ins, refused attempts, and changes to your password, two-factor authentication, passkeys, and tokens will
        appear here.
      </AuditList>
    </Card>
  );
}
