// Renders the console: maps addresses to pages.
import "./theme.ts";
import "./nonce.ts";
import "./keyboard.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Route, Router, Switch } from "wouter";
import { queryClient } from "./api.ts";
import { ConfirmPassword } from "./components/confirm-password.tsx";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { Toasts } from "./components/toast.tsx";
import { InvitationPage, PasswordPage, prefetchPage, SignInLinkPage, SignInPage, VerificationPage } from "./routes.tsx";
import { SignedIn } from "./signed-in.tsx";

prefetchPage(location.pathname, queryClient);

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router base="/console">
          <ErrorBoundary>
            <Switch>
              <Route path="/sign-in">
                <SignInPage />
              </Route>
              <Route path="/invitation">
                <InvitationPage />
              </Route>
              <Route path="/password">
                <PasswordPage />
              </Route>
              <Route path="/verify">
                <VerificationPage />
              </Route>
              <Route path="/enter">
                <SignInLinkPage />
              </Route>
              <Route>
                <SignedIn />
              </Route>
            </Switch>
          </ErrorBoundary>
          <ConfirmPassword />
        </Router>
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
