import { useState } from 'react'
import { changePassword } from '#contract/auth.ts'
import { call } from '../../api.ts'
import { useRefresh } from '../../calls.ts'
import { keepSession } from '../../session.ts'
import { explainWrongPassword } from '../../shared/FreshPassword.tsx'
import { FormPanel } from '../../ui/contract-form.tsx'
import { newPassword, PasswordField, PlainForm, required, SubmitButton, useForm } from '../../ui/form.tsx'
import { focusHeading } from '../../ui/Page.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'

type Values = { currentPassword: string; password: string; confirmation: string }

/** Changes the password, given the current one; ends all other sessions. */
export function ChangePassword() {
  const [times, setTimes] = useState(0)
  return <PasswordForm key={times} onChanged={() => setTimes(times + 1)} />
}

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const refresh = useRefresh()
  const form = useForm({
    initial: { currentPassword: '', password: '', confirmation: '' },
    fields: {
      currentPassword: { label: t('profile.currentPassword'), rules: [required] },
      password: { label: t('fields.newPassword'), rules: [required, newPassword] },
      confirmation: {
        label: t('fields.confirmPassword'),
        rules: [
          required,
          (value: string, _: string, { password }: Values) => (value === password ? undefined : t('rules.same')),
        ],
      },
    },
    async send({ currentPassword, password }, idempotencyKey) {
      keepSession(await call(changePassword, { body: { currentPassword, password }, idempotencyKey }))
      toast(t('profile.changed'))
      onChanged()
      focusHeading({ preventScroll: true })
      void refresh()
    },
    explain: explainWrongPassword,
    retryAt: 'currentPassword',
  })
  return (
    <PlainForm form={form} label={t('profile.changePassword')}>
      <FormPanel heading={t('profile.password')}>
        <p className="muted">{t('profile.changeWhy')}</p>
        <PasswordField {...form.field('currentPassword')} autoComplete="current-password" />
        <PasswordField {...form.field('password')} autoComplete="new-password" help={t('fields.passwordHelp')} />
        <PasswordField {...form.field('confirmation')} autoComplete="new-password" />
        <div>
          <SubmitButton look="secondary">{t('profile.changePassword')}</SubmitButton>
        </div>
      </FormPanel>
    </PlainForm>
  )
}
