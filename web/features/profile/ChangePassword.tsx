import { useState } from 'react'
import { ChangedPassword, changePassword } from '#contract/auth.ts'
import { useCall } from '../../calls.ts'
import { saveSession } from '../../session.ts'
import { explainWrongPassword } from '../../shared/wrong-password.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { FormFrame, PasswordField, SubmitButton } from '../../ui/form.tsx'
import { focusHeading } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { profileWords } from '../../words/profile.ts'

/** The contract's, of which a user who is signed in sends neither email nor code, but the current password. */
const WithCurrent = ChangedPassword.omit({ email: true, code: true }).required()

/** Changes the password, given the current one; ends all other sessions. */
export function ChangePassword() {
  const [times, setTimes] = useState(0)
  return <PasswordForm key={times} onChanged={() => setTimes(times + 1)} />
}

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const form = useContractForm(WithCurrent, {
    initial: { currentPassword: '', password: '', confirmation: '' },
    omit: ['confirmation'],
    check: ({ password, confirmation }) => ({
      confirmation: confirmation
        ? confirmation === password
          ? undefined
          : basicWords.rules.same
        : basicWords.rules.required({ label: basicWords.fields.confirmPassword }),
    }),
    explain: explainWrongPassword,
    retryAt: 'currentPassword',
  })
  const change = useCall(changePassword, {
    onSuccess(session) {
      saveSession(session)
      showToast(profileWords.changed)
      onChanged()
      focusHeading({ preventScroll: true })
    },
  })
  return (
    <FormFrame
      form={form}
      save={change}
      label={profileWords.changePassword}
      onSubmit={({ body }) => change.mutate({ body })}
    >
      <FormPanel heading={fieldWords.password}>
        <p className="muted">{profileWords.changeWhy}</p>
        <PasswordField {...form.field('currentPassword')} autoComplete="current-password" />
        <PasswordField
          {...form.field('password', basicWords.fields.newPassword)}
          autoComplete="new-password"
          help={basicWords.fields.passwordHelp}
        />
        <PasswordField {...form.field('confirmation', basicWords.fields.confirmPassword)} autoComplete="new-password" />
        <div>
          <SubmitButton look="secondary">{profileWords.changePassword}</SubmitButton>
        </div>
      </FormPanel>
    </FormFrame>
  )
}
