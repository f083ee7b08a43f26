process.env.RUNS ??= '6'
await import('./erase-idle.test.ts')
