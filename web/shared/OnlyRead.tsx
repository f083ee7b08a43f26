import { type ReactNode, useId } from 'react'
import { LockNote } from '../ui/form.tsx'
import { Message } from '../ui/Message.tsx'
import { type Needed, usePermission } from '../ui/permissions.ts'
import { settingsWords } from '../words/settings.ts'

type Props = {
  /** The call that changes these fields. */
  needs: Needed
  /** Fields; nothing where the role may not read them either. */
  children?: ReactNode
}

/** Shows fields that the person's role may only read: above them, and for each of them, it says who can change them. */
export function OnlyRead({ needs, children }: Props) {
  const id = useId()
  const may = usePermission()
  if (may(needs)) return children
  return (
    <>
      <div id={id}>
        <Message kind="info">{settingsWords.changedBy[changersOf(needs)]}</Message>
      </div>
      {children && (
        <LockNote value={id}>
          <fieldset disabled className="stack">
            {children}
          </fieldset>
        </LockNote>
      )}
    </>
  )
}

/** Returns the roles that may change something, besides owners. */
function changersOf({ allow }: Needed): keyof typeof settingsWords.changedBy {
  if (allow.includes('manager')) return 'earn'
  return allow.includes('finance') ? 'pay' : 'own'
}
