import { useQueryClient } from '@tanstack/react-query'
import { changeMe, type Me } from '#contract/auth.ts'
import { useCall } from '../../calls.ts'
import { useMe } from '../../shell/current.ts'
import { me as meQuery } from '../../shell/queries.ts'
import { FormPanel } from '../../ui/contract-form.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'

const themes = ['system', 'light', 'dark'] as const
type ThemeName = (typeof themes)[number]

/** Light, dark or as the system: shown at once, kept in the user's preferences. */
export function Theme() {
  const user = useMe()
  const client = useQueryClient()
  const chosen = themes.find((theme) => theme === user.preferences.theme) ?? 'system'
  const keep = (change: (before: Me) => Me) =>
    client.setQueryData(meQuery.queryKey, (before) => before && change(before))
  const show = (theme: unknown) => keep((before) => ({ ...before, preferences: { ...before.preferences, theme } }))
  const save = useCall(changeMe, {
    onSuccess: (reply) => keep(() => reply),
    onError: (error) => toast(explainRefusal(error), { failed: true }),
  })

  function choose(theme: ThemeName) {
    const before = user.preferences.theme ?? 'system'
    show(theme)
    void save.send({ body: { preferences: { theme } } }).catch(() => show(before))
  }

  return (
    <FormPanel heading={t('profile.appearance')}>
      <SelectField<ThemeName>
        id="profile-theme"
        name="theme"
        label={t('profile.theme')}
        value={chosen}
        choices={themes.map((theme) => ({ value: theme, label: t(`profile.themes.${theme}`) }))}
        help={t('profile.themeHelp')}
        onChange={(theme) => theme && choose(theme)}
        onBlur={() => undefined}
      />
    </FormPanel>
  )
}
