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
          title="Couldn’t load this page"
          action={<Button onClick={() => location.reload()}>Reload</Button>}
        >
          The console may have been updated, or the connection may have been lost. Your saved changes are safe.
        </EmptyState>
      </div>
    );
  }
}
