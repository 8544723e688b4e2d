// Logging in.

import { PasswordInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { answer, api } from "@/api/client";
import { loginRoute } from "@/app/router";
import { Form, fieldError } from "@/design/Form";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { signedIn } from "@/session/start";
import { ownPath } from "./ownPath";

export function LoginPage() {
  const { next } = loginRoute.useSearch();
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const login = useMutation({
    mutationFn: () => answer(api.POST("/v1/auth/login", { body: { email, password } })),
    onSuccess: (session) => {
      signedIn(session);
      void navigate({ to: ownPath(next) });
    },
  });
  return (
    <Page title="Log in" narrow>
      <Panel>
        <Form
          submit="Log in"
          pending={login.isPending}
          error={login.error}
          fields={["email", "password"]}
          onSubmit={() => login.mutate()}
          aside={
            <span>
              New here?{" "}
              <Link to="/signup" search={{ next }}>
                Sign up
              </Link>
            </span>
          }
        >
          <TextInput
            label="Email"
            type="email"
            autoComplete="email"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={fieldError(login.error, "email")}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={fieldError(login.error, "password")}
          />
        </Form>
      </Panel>
    </Page>
  );
}
