import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { nextPlace } from "../address.ts";
import { useConsole } from "../api.ts";
import { Notice } from "../components/index.ts";
import { openIdMessage } from "../sign-in-messages.ts";
import { Forgotten } from "./signed-out/forgotten.tsx";
import { SignInForm } from "./signed-out/sign-in-form.tsx";
import { OpenPage } from "./signed-out/signed-out-page.tsx";

export default function SignIn() {
  const search = useSearch();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const [hasForgotten, setHasForgotten] = useState(false);
  const offers = useConsole("getSignIn").data?.data;
  const given = new URLSearchParams(search);
  const refused = given.get("error");
  const enter = () => {
    // Nothing of who was here before is shown to who is here now.
    queries.clear();
    go(nextPlace(search));
  };
  if (hasForgotten)
    return (
      <OpenPage title="New password" lead="We send you a link with which you set a new one.">
        <Forgotten onBack={() => setHasForgotten(false)} />
      </OpenPage>
    );
  return (
    <OpenPage title="Sign in">
      {given.has("ended") && (
        <div role="status">
          <Notice>
            <p>Your session has ended. Sign in again to go on where you were.</p>
          </Notice>
        </div>
      )}
      <SignInForm
        isAgain={given.has("again")}
        // The name of the provider, which the message needs, comes later.
        key={refused === null ? "" : (offers?.open_id ?? "")}
        firstError={refused === null ? undefined : openIdMessage(refused, offers?.open_id ?? "The OpenID provider")}
        onDone={enter}
        onForgotten={() => setHasForgotten(true)}
      />
    </OpenPage>
  );
}
