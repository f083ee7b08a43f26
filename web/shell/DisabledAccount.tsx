import { PauseIcon } from '../ui/icons.tsx'
import { Empty } from '../ui/Panel.tsx'
import { basicWords } from '../words/basic.ts'

/** Replaces every screen of a disabled account. */
export const DisabledAccount = ({ supportEmail }: { supportEmail: string | null }) => (
  <Empty
    alone
    icon={<PauseIcon />}
    what={basicWords.states.disabled}
    hint={basicWords.states.disabledWhy}
    action={
      supportEmail && (
        <a href={`mailto:${supportEmail}`} className="strong">
          {basicWords.actions.contactUs}
        </a>
      )
    }
  />
)
