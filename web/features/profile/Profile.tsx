import { useQueryClient } from '@tanstack/react-query'
import { type CurrentUser, changeMe, MeChange } from '#contract/auth.ts'
import { me as meQuery, useCall } from '../../calls.ts'
import { isAtPartner } from '../../shared/roles.ts'
import { useMe, useRole } from '../../shell/current.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { FieldPair, TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/Page.tsx'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { formWords } from '../../words/forms.ts'
import { profileWords } from '../../words/profile.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { AccessTokens } from './AccessTokens.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { Emails } from './Emails.tsx'
import { LanguagePanel } from './LanguagePanel.tsx'
import styles from './Profile.module.css'
import { Sessions } from './Sessions.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { SignInWays } from './SignInWays.tsx'
import { ThemePanel } from './ThemePanel.tsx'

/** The user's name, theme, emails, password, second factor and sessions. */
export function Profile() {
  const me = useMe()
  const role = useRole()
  return (
    <Page heading={pageWords.profile}>
      <div className={`stack ${styles.profile}`}>
        <Names />
        <ThemePanel />
        {isAtPartner(role) && <LanguagePanel />}
        <Shortcuts />
        <Emails />
        <ChangePassword />
        <SignInWays />
        <Sessions />
        {me.appUrl === null && <AccessTokens />}
      </div>
    </Page>
  )
}

const valuesOf = ({ firstName, lastName }: CurrentUser) => ({ firstName: firstName ?? '', lastName: lastName ?? '' })

function Names() {
  const user = useMe()
  const client = useQueryClient()
  const form = useContractForm(MeChange, { initial: valuesOf(user) })
  const save = useCall(changeMe, {
    onSuccess(reply) {
      client.setQueryData(meQuery.queryKey, reply)
      form.saved(valuesOf(reply))
      showToast(toastWords.saved({ resource: profileWords.resource }))
    },
  })
  return (
    <Form form={form} save={save} label={pageWords.profile} onSubmit={(_, changes) => save.mutate({ body: changes })}>
      <FormPanel heading={profileWords.you}>
        <TextField
          id="profile-email"
          name="email"
          label={basicWords.fields.email}
          value={user.email}
          help={profileWords.emailHelp}
          readOnly
          onChange={() => undefined}
          onBlur={() => undefined}
        />
        <FieldPair>
          <TextField {...form.field('firstName', basicWords.fields.firstName)} autoComplete="given-name" optional />
          <TextField {...form.field('lastName', basicWords.fields.lastName)} autoComplete="family-name" optional />
        </FieldPair>
        <FormActions
          submit={formWords.saveChanges}
          cancel={form.dirty ? () => form.restart(valuesOf(user)) : undefined}
        />
      </FormPanel>
    </Form>
  )
}
