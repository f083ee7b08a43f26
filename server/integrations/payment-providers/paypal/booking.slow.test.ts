process.env.RUNS ??= '25'
await import('./booking.test.ts')
