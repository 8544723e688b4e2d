// Forms: where a problem lands, and the button that sends.

import { Button } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { asProblem } from "@/api/problem";
import { ProblemNotice } from "./Feedback";
import classes from "./Form.module.css";

/** The message for the field a problem names, to be shown at that field. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (error === null || error === undefined) return undefined;
  const problem = asProblem(error);
  return problem.field === field ? problem.detail : undefined;
}

interface Props {
  onSubmit: () => void;
  submit: string;
  pending: boolean;
  error: unknown;
  /** Fields of this form: a problem with one of them is shown there, any other one above the button. */
  fields?: readonly string[];
  disabled?: boolean;
  aside?: ReactNode;
  children: ReactNode;
}

export function Form({ onSubmit, submit, pending, error, fields = [], disabled, aside, children }: Props) {
  const problem = error ? asProblem(error) : null;
  const shownAtField = problem?.field !== null && problem?.field !== undefined && fields.includes(problem.field);
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!pending && !disabled) onSubmit();
      }}
    >
      {children}
      {problem !== null && !shownAtField && <ProblemNotice error={problem} />}
      <div className={classes.foot}>
        <Button type="submit" loading={pending} disabled={disabled}>
          {submit}
        </Button>
        {aside}
      </div>
    </form>
  );
}
