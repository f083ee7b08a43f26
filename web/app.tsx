// Imported first: the other modules use its words.
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { makeQueryClient } from './query-client.ts'
import { makeRouter } from './routes/router.tsx'
import { goToSignIn, leaveBy, onSignedOutElsewhere } from './session.ts'

const queryClient = makeQueryClient()

/** The application behind the sign-in. */
export function app() {
  leaveBy(null)
  onSignedOutElsewhere(() => goToSignIn())
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={makeRouter(queryClient)} />
    </QueryClientProvider>
  )
}
