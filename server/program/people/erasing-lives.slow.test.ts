process.env.RUNS ??= '12'
await import('./erasing-lives.test.ts')
