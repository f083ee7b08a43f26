import { FormPanel } from '../../ui/contract-form.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'
import { usePreference } from './preference.ts'

const themes = ['system', 'light', 'dark'] as const
type ThemeName = (typeof themes)[number]

/** Light, dark or system theme: applied at once, saved in the user's preferences. */
export function ThemePanel() {
  const { chosen, choose } = usePreference<ThemeName>('theme', 'system')
  return (
    <FormPanel heading={t('profile.appearance')}>
      <SelectField<ThemeName>
        id="profile-theme"
        name="theme"
        label={t('profile.theme')}
        value={themes.find((theme) => theme === chosen) ?? 'system'}
        choices={themes.map((theme) => ({ value: theme, label: t(`profile.themes.${theme}`) }))}
        help={t('profile.themeHelp')}
        onChange={(theme) => theme && choose(theme)}
        onBlur={() => undefined}
      />
    </FormPanel>
  )
}
