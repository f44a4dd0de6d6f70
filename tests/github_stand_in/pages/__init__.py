"""Plain web pages, forms and the sign-in of OAuth."""
