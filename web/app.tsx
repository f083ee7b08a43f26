// Imported first: the other modules use its words.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { CallError } from './api.ts'
import { makeRouter } from './routes/router.tsx'
import { goToSignIn, leaveBy, onSignedOutElsewhere } from './session.ts'

/** Loaded data counts as fresh for 30 s. Refused calls are not retried; calls that got no answer are, once. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Offline a read fails visibly instead of waiting; it is repeated once there is a connection.
      networkMode: 'always',
      refetchOnReconnect: true,
      retryDelay: 500,
      retry: (failures, error) =>
        failures < 1 && error instanceof CallError && (error.status === 0 || error.status >= 500),
    },
  },
})

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
