"""Test doubles and conformance suites, part of the product. Import what you need from the modules."""
