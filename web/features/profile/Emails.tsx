import { useQuery, useQueryClient } from '@tanstack/react-query'
import { changeMe } from '#contract/auth.ts'
import type { MailPreference } from '#contract/mail.ts'
import { useCall } from '../../calls.ts'
import { FormPanel } from '../../ui/contract-form.tsx'
import { SwitchField } from '../../ui/fields.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { showToast } from '../../ui/toasts.ts'
import { profileWords } from '../../words/profile.ts'
import { mailChoicesQuery } from './queries.ts'

/** Switches for the kinds of email that the user's roles receive; each saves at once. */
export function Emails() {
  const answer = useQuery(mailChoicesQuery)
  return (
    <FormPanel heading={profileWords.emails}>
      {answer.data?.items.map((choice) => <Choice key={choice.group} choice={choice} />) ?? (
        <Pending answer={answer} rows={5} />
      )}
    </FormPanel>
  )
}

function Choice({ choice: { group, title, description, optional, enabled } }: { choice: MailPreference }) {
  const client = useQueryClient()
  const show = (on: boolean) =>
    client.setQueryData(
      mailChoicesQuery.queryKey,
      (before) => before && { items: before.items.map((one) => (one.group === group ? { ...one, enabled: on } : one)) },
    )
  const save = useCall(changeMe, { onError: toastRefusal })
  function choose(on: boolean) {
    show(on)
    void save
      .send({ body: { preferences: { mail: { [group]: on } } } })
      .then(() => showToast((on ? profileWords.emailOn : profileWords.emailOff)({ group: title })))
      .catch(() => show(!on))
  }
  return (
    <SwitchField
      id={`profile-mail-${group}`}
      name={group}
      label={title}
      value={enabled}
      disabled={!optional}
      help={optional ? description : profileWords.always({ description })}
      onChange={choose}
      onBlur={() => undefined}
    />
  )
}
