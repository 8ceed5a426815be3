/** Style sheets are named by the scripts that need them; the build puts them beside these. */
declare module '*.css';
