process.env.RUNS ??= '12'
await import('./booking.test.ts')
