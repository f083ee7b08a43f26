import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A link to an address of this application that the server names. */
export function PathLink({ path, children }: { path: string; children: ReactNode }) {
  const router = useRouter()
  return (
    <a
      href={path}
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
