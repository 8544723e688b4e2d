// Signing up: a person and their first organisation.

import { PasswordInput, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { answer, api } from "@/api/client";
import { signupRoute } from "@/app/router";
import { Form, fieldError } from "@/design/Form";
import { Page } from "@/design/Page";
import { Panel } from "@/design/Panel";
import { signedIn } from "@/session/start";
import { ownPath } from "./ownPath";

const BLANK = { display_name: "", email: "", password: "", organisation_name: "" };

export function SignupPage() {
  const { next } = signupRoute.useSearch();
  const navigate = useNavigate();
  const [form, setForm] = useState(BLANK);
  const register = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/v1/auth/register", {
          body: { ...form, organisation_name: form.organisation_name.trim() || undefined },
        }),
      ),
    onSuccess: (session) => {
      signedIn(session);
      void navigate({ to: ownPath(next) });
    },
  });
  const input = (field: keyof typeof BLANK) => ({
    value: form[field],
    error: fieldError(register.error, field),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setForm((current) => ({ ...current, [field]: value }));
    },
  });
  return (
    <Page title="Sign up" lead="Rent and bid as a tenant, list nodes as a provider: one account does both." narrow>
      <Panel>
        <Form
          submit="Sign up"
          pending={register.isPending}
          error={register.error}
          fields={Object.keys(BLANK)}
          onSubmit={() => register.mutate()}
          aside={
            <span>
              Been here before?{" "}
              <Link to="/login" search={{ next }}>
                Log in
              </Link>
            </span>
          }
        >
          <TextInput label="Your name" autoComplete="name" required {...input("display_name")} />
          <TextInput label="Email" type="email" autoComplete="email" required {...input("email")} />
          <PasswordInput label="Password" autoComplete="new-password" required {...input("password")} />
          <TextInput
            label="Organisation"
            description="Left empty, it bears your name. You can invite others later."
            autoComplete="organization"
            {...input("organisation_name")}
          />
        </Form>
      </Panel>
    </Page>
  );
}
