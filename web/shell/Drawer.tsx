import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUser, Role } from '#contract/auth.ts'
import { IconButton } from '../ui/Button.tsx'
import { CloseIcon, MenuIcon } from '../ui/icons.tsx'
import { shellWords } from '../words/shell.ts'
import styles from './Sidebar.module.css'
import { Sidebar } from './Sidebar.tsx'

/** The sidebar under 992 px: behind a button, over the page; Escape, a click outside it and navigation close it. */
export function Drawer({ role, user, onSearch }: { role: Role | undefined; user: CurrentUser; onSearch: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState(false)
  const at = useLocation({ select: ({ href }) => href })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of address closes the drawer
  useEffect(() => dialog.current?.close(), [at])

  useEffect(() => {
    if (open) dialog.current?.showModal()
  }, [open])

  return (
    <>
      <IconButton
        label={shellWords.navigation.open}
        icon={<MenuIcon size={20} />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; this is the click beside it */}
      <dialog
        ref={dialog}
        aria-label={shellWords.navigation.main}
        className={styles.drawer}
        onClose={() => setOpen(false)}
        onClick={(event) => event.target === dialog.current && dialog.current.close()}
      >
        {open && (
          <Sidebar
            role={role}
            user={user}
            onSearch={() => {
              // The palette then returns the focus to the button that opened the drawer.
              dialog.current?.close()
              onSearch()
            }}
            close={
              <IconButton
                label={shellWords.navigation.close}
                icon={<CloseIcon size={20} />}
                onClick={() => dialog.current?.close()}
              />
            }
          />
        )}
      </dialog>
    </>
  )
}
