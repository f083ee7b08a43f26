import { useMe } from '../../shell/current.ts'
import { commandK, hasSingleKeys } from '../../shell/shortcuts.ts'
import { FormPanel } from '../../ui/contract-form.tsx'
import { SwitchField } from '../../ui/fields.tsx'
import { profileWords } from '../../words/profile.ts'
import { usePreference } from './preference.ts'

/** Turns off single-key shortcuts: they interfere with speech input and some assistive tools. */
export function Shortcuts() {
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
