import { QueryClient } from '@tanstack/react-query'
import { CallError } from './api.ts'

/** Loaded data counts as fresh for 30 s. Refused calls are not retried; calls that got no answer are, once. */
export const makeQueryClient = () =>
  new QueryClient({
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
