// Imported first: the other modules use its words.
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './routes/router.tsx'
import { onSignedOutElsewhere, openSignIn, setLeave } from './session.ts'

const queryClient = makeQueryClient()

/** The application behind the sign-in. */
export function startApp() {
  setLeave(null)
  onSignedOutElsewhere(() => openSignIn())
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={makeRouter(queryClient)} />
    </QueryClientProvider>
  )
}
