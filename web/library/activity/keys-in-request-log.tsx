// Says where the requests of API keys are, to those who may read them there.
import { Link } from "wouter";
import { useWorkspace } from "../../workspace.tsx";

export function KeysInRequestLog() {
  const { may, to } = useWorkspace();
  if (!may("log.read")) return null;
  return (
    <>
      Requests sent with API keys are in the{" "}
      <Link href={to("log")} className="link">
        request log
      </Link>
      .
    </>
  );
}
