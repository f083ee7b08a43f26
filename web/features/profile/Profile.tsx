import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type CurrentUser, changeMe, MeChange } from '#contract/auth.ts'
import type { MailPreference } from '#contract/mail.ts'
import { listLanguages } from '#features/languages/contract.ts'
import { apiQuery, me as meQuery, useCall } from '../../calls.ts'
import { SAME_AS_BROWSER } from '../../language.ts'
import { isAtPartner } from '../../shared/roles.ts'
import { useMe, useRole } from '../../shell/current.ts'
import { commandK, hasSingleKeys } from '../../shell/shortcuts.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { FieldPair, SelectField, SwitchField, TextField } from '../../ui/fields.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { formWords } from '../../words/forms.ts'
import { profileWords } from '../../words/profile.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { AccessTokens } from './AccessTokens.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import styles from './Profile.module.css'
import { usePreference } from './preference.ts'
import { mailChoicesQuery } from './queries.ts'
import { Sessions } from './Sessions.tsx'
import { SignInWays } from './SignInWays.tsx'

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

/** Switches for the kinds of email that the user's roles receive; each saves at once. */
function Emails() {
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

/** The language of a partner's screens; the document loads anew in it once it is saved. */
function LanguagePanel() {
  const client = useQueryClient()
  const { language } = useMe().preferences
  const { data } = useQuery(apiQuery(listLanguages))
  const save = useCall(changeMe, {
    onSuccess: (reply) => client.setQueryData(meQuery.queryKey, reply),
    onError: toastRefusal,
  })
  const others = data?.items.filter(({ language, parts }) => language === 'en' || parts.includes('partner')) ?? []
  if (others.length < 2) return null
  const chosen = others.some((one) => one.language === language) ? String(language) : SAME_AS_BROWSER
  return (
    <FormPanel heading={basicWords.fields.language}>
      <SelectField
        id="profile-language"
        name="language"
        label={basicWords.fields.language}
        value={chosen}
        disabled={save.busy}
        choices={[
          { value: SAME_AS_BROWSER, label: profileWords.sameAsBrowser },
          ...others.map(({ language, name }) => ({ value: language, label: name })),
        ]}
        onChange={(next) => next && next !== chosen && save.mutate({ body: { preferences: { language: next } } })}
        onBlur={() => undefined}
      />
    </FormPanel>
  )
}

/** Turns off single-key shortcuts: they interfere with speech input and some assistive tools. */
function Shortcuts() {
  const { choose } = usePreference<boolean>('shortcuts', true)
  return (
    <FormPanel heading={profileWords.keyboard}>
      <SwitchField
        id="profile-shortcuts"
        name="shortcuts"
        label={profileWords.shortcuts}
        value={hasSingleKeys(useMe())}
        help={profileWords.shortcutsHelp({ command: commandK() })}
        onChange={choose}
        onBlur={() => undefined}
      />
    </FormPanel>
  )
}

const themes = ['system', 'light', 'dark'] as const
type ThemeName = (typeof themes)[number]

/** Light, dark or system theme: applied at once, saved in the user's preferences. */
function ThemePanel() {
  const { chosen, choose } = usePreference<ThemeName>('theme', 'system')
  return (
    <FormPanel heading={profileWords.appearance}>
      <SelectField<ThemeName>
        id="profile-theme"
        name="theme"
        label={profileWords.theme}
        value={themes.find((theme) => theme === chosen) ?? 'system'}
        choices={themes.map((theme) => ({ value: theme, label: profileWords.themes[theme] }))}
        help={profileWords.themeHelp}
        onChange={(theme) => theme && choose(theme)}
        onBlur={() => undefined}
      />
    </FormPanel>
  )
}
