import { useLocation, useRouter } from '@tanstack/react-router'
import { IconButton } from '../../ui/Button.tsx'
import { NextIcon, PreviousIcon } from '../../ui/icons.tsx'
import { leadWords } from '../../words/leads.ts'
import styles from './Leads.module.css'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Ids of the leads on the list's page that this one was opened from, in its order. */
    among?: readonly string[]
  }
}

/**
 * Buttons to the leads before and after this one in the list it was opened from; nothing if it was opened otherwise.
 * They replace the page, so that Back returns to the list.
 */
export function Neighbors({ leadId }: { leadId: string }) {
  const among = useLocation({ select: ({ state }) => state.among }) ?? []
  const router = useRouter()
  const at = among.indexOf(leadId)
  if (at < 0 || among.length < 2) return null
  const to = (id: string | undefined) => ({
    disabled: id === undefined,
    className: styles.step,
    onClick: () =>
      id && router.navigate({ to: '/leads/$leadId', params: { leadId: id }, state: { among }, replace: true }),
  })
  return (
    <>
      <IconButton
        bordered
        label={leadWords.previous}
        icon={<PreviousIcon size={16} />}
        data-shortcut="k"
        {...to(among[at - 1])}
      />
      <IconButton
        bordered
        label={leadWords.next}
        icon={<NextIcon size={16} />}
        data-shortcut="j"
        {...to(among[at + 1])}
      />
    </>
  )
}
