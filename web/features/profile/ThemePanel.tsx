import { FormPanel } from '../../ui/contract-form.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { profileWords } from '../../words/profile.ts'
import { usePreference } from './preference.ts'

const themes = ['system', 'light', 'dark'] as const
type ThemeName = (typeof themes)[number]

/** Light, dark or system theme: applied at once, saved in the user's preferences. */
export function ThemePanel() {
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
