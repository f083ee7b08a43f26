import type { ReactNode } from 'react'

/** Words of an action on a thing. */
export type ActWords = {
  heading: string
  /** Verb and object, on the button; the heading by default. */
  submit?: string
  /** The consequence, with count and sum if money moves. */
  why: ReactNode
  /** Text of the toast on success. */
  done: string
  danger?: boolean
}

export type ActProps<T> = { of: T; onClose: () => void }
