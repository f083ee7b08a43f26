import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A link to an address of this application sent by the server. */
export function PathLink({ path, children }: { path: string; children: ReactNode }) {
  const router = useRouter()
  return (
    <a
      href={router.history.createHref(path)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.history.push(path)
      }}
    >
      {children}
    </a>
  )
}
