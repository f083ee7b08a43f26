import { createContext, useContext } from 'react'

/** A call that a control makes, or that the form makes to which it leads. */
export type Needed = { allow: readonly string[] }

/** Whether the person may make a call; set by the shell. */
export const PermissionContext = createContext<(call: Needed) => boolean>(() => true)

/** Returns whether a control that needs these calls is shown: without the right to one, it is absent. */
export function usePermission() {
  const may = useContext(PermissionContext)
  return (needs: Needed | undefined) => needs === undefined || may(needs)
}
