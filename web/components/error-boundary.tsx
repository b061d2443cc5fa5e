// Catches errors while a page renders.
import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { EmptyState } from "./states.tsx";

/** Catches what a page did not expect. A page's script may be missing too: it has another name after an update of the service. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <EmptyState
          icon="warning"
          title="This page could not be shown"
          action={<Button onClick={() => location.reload()}>Load again</Button>}
        >
          The console may have been updated meanwhile, or the connection was lost. Nothing that you saved is lost.
        </EmptyState>
      </div>
    );
  }
}
