import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CallError } from './api.ts'
import { makeRouter } from './routes/router.tsx'
import { goToSignIn, onSignedOutElsewhere } from './session.ts'
import { Look } from './ui/Look.tsx'

/** Loaded data counts as fresh for 30 s. What the server refused is not asked again; what it could not answer is, twice. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof CallError && (error.status === 0 || error.status >= 500),
    },
  },
})

/** The application behind the sign-in. */
export function showApp(root: HTMLElement) {
  onSignedOutElsewhere(() => goToSignIn())
  createRoot(root).render(
    <StrictMode>
      <Look>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={makeRouter(queryClient)} />
        </QueryClientProvider>
      </Look>
    </StrictMode>,
  )
}
