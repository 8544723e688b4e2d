// Build, development server and tests of the web app. In development, API calls go to a running `souk serve`.
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const backend = process.env.SOUK_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: {
    port: 5173,
    proxy: {
      "/v1": { target: backend, ws: true },
      "/docs": { target: backend },
      "/openapi.json": { target: backend },
    },
  },
  build: { target: "es2022", sourcemap: false, reportCompressedSize: true },
  test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"], setupFiles: ["src/test/setup.ts"], css: false },
});
